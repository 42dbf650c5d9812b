//! Players by hand: 137 columns in nine groups.

mod parts;

use super::Columnar;
use super::bytes::{
    Cursor, Damaged, Result, columns, cursors, list, put_bytes, put_f32, put_f64, put_int, put_varint,
};
use crate::data::minecraft::{Experience, GameType, Item, Minecraft, Player, Standing};
use parts::{ABILITIES, ENTITY, ITEM, RECIPE_BOOK};
use std::borrow::Cow;

/// Columns that belong to the player alone.
const PLAYER: usize = 34;

impl Columnar for Minecraft {
    fn encode(rows: &[Player]) -> Vec<Vec<u8>> {
        let mut player = columns::<PLAYER>();
        let (mut selected, mut inventory, mut ender) = (columns(), columns(), columns());
        let mut abilities = columns::<ABILITIES>();
        let (mut vehicle, mut left, mut right) = (columns(), columns(), columns());
        let mut recipe_book = columns::<RECIPE_BOOK>();
        for row in rows {
            put_player(&mut player, row);
            parts::put_item(&mut selected, &row.selected_item);
            row.inventory.iter().for_each(|item| parts::put_item(&mut inventory, item));
            row.ender_items.iter().for_each(|item| parts::put_item(&mut ender, item));
            parts::put_abilities(&mut abilities, &row.abilities);
            if let Some((_, entity)) = &row.root_vehicle {
                parts::put_entity(&mut vehicle, entity);
            }
            if let Some(entity) = &row.shoulder_entity_left {
                parts::put_entity(&mut left, entity);
            }
            if let Some(entity) = &row.shoulder_entity_right {
                parts::put_entity(&mut right, entity);
            }
            parts::put_recipe_book(&mut recipe_book, &row.recipe_book);
        }
        let mut all = Vec::from(player);
        all.extend([selected, inventory, ender].into_iter().flatten());
        all.extend(abilities);
        all.extend([vehicle, left, right].into_iter().flatten());
        all.extend(recipe_book);
        all
    }

    fn decode(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Player>> {
        let mut rest = columns;
        let [
            mut game_type,
            mut previous_game_type,
            mut score,
            mut dimension,
            mut selected_item_slot,
            mut has_spawn_dimension,
            mut spawn_dimension,
            mut spawn_x,
            mut spawn_y,
            mut spawn_z,
            mut has_spawn_forced,
            mut spawn_forced,
            mut sleep_timer,
            mut food_exhaustion_level,
            mut food_saturation_level,
            mut food_tick_timer,
            mut xp_level,
            mut xp_p,
            mut xp_total,
            mut xp_seed,
            mut inventory_items,
            mut ender_items,
            mut has_nether,
            mut nether_x,
            mut nether_y,
            mut nether_z,
            mut has_vehicle,
            mut uuid_0,
            mut uuid_1,
            mut uuid_2,
            mut uuid_3,
            mut has_left,
            mut has_right,
            mut seen_credits,
        ] = group::<PLAYER>(&mut rest)?;
        let mut selected = group::<ITEM>(&mut rest)?;
        let mut inventory = group::<ITEM>(&mut rest)?;
        let mut ender = group::<ITEM>(&mut rest)?;
        let mut abilities = group::<ABILITIES>(&mut rest)?;
        let mut vehicle = group::<ENTITY>(&mut rest)?;
        let mut left = group::<ENTITY>(&mut rest)?;
        let mut right = group::<ENTITY>(&mut rest)?;
        let mut recipe_book = group::<RECIPE_BOOK>(&mut rest)?;
        let mut players = Vec::with_capacity(rows);
        for _ in 0..rows {
            players.push(Player {
                game_type: read_game_type(&mut game_type)?,
                previous_game_type: read_game_type(&mut previous_game_type)?,
                score: score.int()?,
                dimension: dimension.string()?,
                selected_item_slot: selected_item_slot.varint()? as u32,
                selected_item: parts::item(&mut selected)?,
                spawn_dimension: match has_spawn_dimension.flag()? {
                    true => Some(spawn_dimension.string()?),
                    false => None,
                },
                spawn_x: spawn_x.int()?,
                spawn_y: spawn_y.int()?,
                spawn_z: spawn_z.int()?,
                spawn_forced: if has_spawn_forced.flag()? { Some(spawn_forced.flag()?) } else { None },
                sleep_timer: sleep_timer.varint()? as u16,
                food_exhaustion_level: food_exhaustion_level.f32()?,
                food_saturation_level: food_saturation_level.f32()?,
                food_tick_timer: food_tick_timer.varint()? as u32,
                xp_level: xp_level.varint()? as u32,
                xp_p: xp_p.f32()?,
                xp_total: xp_total.int()? as i32,
                xp_seed: xp_seed.int()? as i32,
                inventory: items(inventory_items.length()?, &mut inventory)?,
                ender_items: items(ender_items.length()?, &mut ender)?,
                abilities: parts::abilities(&mut abilities)?,
                entered_nether_position: match has_nether.flag()? {
                    true => Some((nether_x.f64()?, nether_y.f64()?, nether_z.f64()?)),
                    false => None,
                },
                root_vehicle: match has_vehicle.flag()? {
                    true => {
                        let mut uuid = [0; 4];
                        let columns = [&mut uuid_0, &mut uuid_1, &mut uuid_2, &mut uuid_3];
                        for (word, column) in uuid.iter_mut().zip(columns) {
                            *word = column.varint()? as u32;
                        }
                        Some((uuid, parts::entity(&mut vehicle)?))
                    }
                    false => None,
                },
                shoulder_entity_left: match has_left.flag()? {
                    true => Some(parts::entity(&mut left)?),
                    false => None,
                },
                shoulder_entity_right: match has_right.flag()? {
                    true => Some(parts::entity(&mut right)?),
                    false => None,
                },
                seen_credits: seen_credits.flag()?,
                recipe_book: parts::recipe_book(&mut recipe_book)?,
            });
        }
        Ok(players)
    }

    const ONE_COLUMNS: &'static [usize] = &[18];

    fn decode_one(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Experience>> {
        let [mut xp_total] = cursors(columns)?;
        let mut players = Vec::with_capacity(rows);
        for _ in 0..rows {
            players.push(Experience { xp_total: xp_total.int()? as i32 });
        }
        Ok(players)
    }

    const THREE_COLUMNS: &'static [usize] = &[0, 18, 22, 23, 24, 25];

    fn decode_three(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Standing>> {
        let [mut game_type, mut xp_total, mut has_nether, mut x, mut y, mut z] = cursors(columns)?;
        let mut players = Vec::with_capacity(rows);
        for _ in 0..rows {
            players.push(Standing {
                game_type: read_game_type(&mut game_type)?,
                xp_total: xp_total.int()? as i32,
                entered_nether_position: match has_nether.flag()? {
                    true => Some((x.f64()?, y.f64()?, z.f64()?)),
                    false => None,
                },
            });
        }
        Ok(players)
    }
}

fn put_player(columns: &mut [Vec<u8>; PLAYER], row: &Player) {
    let [
        game_type,
        previous_game_type,
        score,
        dimension,
        selected_item_slot,
        has_spawn_dimension,
        spawn_dimension,
        spawn_x,
        spawn_y,
        spawn_z,
        has_spawn_forced,
        spawn_forced,
        sleep_timer,
        food_exhaustion_level,
        food_saturation_level,
        food_tick_timer,
        xp_level,
        xp_p,
        xp_total,
        xp_seed,
        inventory_items,
        ender_items,
        has_nether,
        nether_x,
        nether_y,
        nether_z,
        has_vehicle,
        uuid_0,
        uuid_1,
        uuid_2,
        uuid_3,
        has_left,
        has_right,
        seen_credits,
    ] = columns;
    game_type.push(row.game_type as u8);
    previous_game_type.push(row.previous_game_type as u8);
    put_int(score, row.score);
    put_bytes(dimension, row.dimension.as_bytes());
    put_varint(selected_item_slot, row.selected_item_slot.into());
    has_spawn_dimension.push(row.spawn_dimension.is_some().into());
    if let Some(value) = &row.spawn_dimension {
        put_bytes(spawn_dimension, value.as_bytes());
    }
    put_int(spawn_x, row.spawn_x);
    put_int(spawn_y, row.spawn_y);
    put_int(spawn_z, row.spawn_z);
    has_spawn_forced.push(row.spawn_forced.is_some().into());
    if let Some(value) = row.spawn_forced {
        spawn_forced.push(value.into());
    }
    put_varint(sleep_timer, row.sleep_timer.into());
    put_f32(food_exhaustion_level, row.food_exhaustion_level);
    put_f32(food_saturation_level, row.food_saturation_level);
    put_varint(food_tick_timer, row.food_tick_timer.into());
    put_varint(xp_level, row.xp_level.into());
    put_f32(xp_p, row.xp_p);
    put_int(xp_total, row.xp_total.into());
    put_int(xp_seed, row.xp_seed.into());
    put_varint(inventory_items, row.inventory.len() as u64);
    put_varint(ender_items, row.ender_items.len() as u64);
    has_nether.push(row.entered_nether_position.is_some().into());
    if let Some((x, y, z)) = row.entered_nether_position {
        put_f64(nether_x, x);
        put_f64(nether_y, y);
        put_f64(nether_z, z);
    }
    has_vehicle.push(row.root_vehicle.is_some().into());
    if let Some((uuid, _)) = row.root_vehicle {
        for (column, word) in [uuid_0, uuid_1, uuid_2, uuid_3].into_iter().zip(uuid) {
            put_varint(column, word.into());
        }
    }
    has_left.push(row.shoulder_entity_left.is_some().into());
    has_right.push(row.shoulder_entity_right.is_some().into());
    seen_credits.push(row.seen_credits.into());
}

/// Cursors at the next `N` columns.
fn group<'a, const N: usize>(rest: &mut &'a [Cow<'_, [u8]>]) -> Result<[Cursor<'a>; N]> {
    let (group, behind) = rest.split_at_checked(N).ok_or(Damaged)?;
    *rest = behind;
    cursors(group)
}

fn read_game_type(column: &mut Cursor<'_>) -> Result<GameType> {
    GameType::ALL.get(usize::from(column.byte()?)).copied().ok_or(Damaged)
}

fn items(count: usize, columns: &mut [Cursor<'_>; ITEM]) -> Result<Vec<Item>> {
    list(count, || parts::item(columns))
}
