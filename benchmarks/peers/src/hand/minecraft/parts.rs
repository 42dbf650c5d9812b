//! The parts of a player that have columns of their own.

use crate::data::minecraft::{Abilities, Entity, Item, RecipeBook};
use crate::hand::bytes::{Cursor, Result, list, put_bytes, put_f32, put_f64, put_int, put_varint};

/// Columns of items.
pub(super) const ITEM: usize = 3;
/// Columns of abilities.
pub(super) const ABILITIES: usize = 7;
/// Columns of an entity.
pub(super) const ENTITY: usize = 25;
/// Columns of a recipe book.
pub(super) const RECIPE_BOOK: usize = 12;

pub(super) fn put_item([count, slot, id]: &mut [Vec<u8>; ITEM], item: &Item) {
    put_int(count, item.count.into());
    slot.push(item.slot);
    put_bytes(id, item.id.as_bytes());
}

pub(super) fn item([count, slot, id]: &mut [Cursor<'_>; ITEM]) -> Result<Item> {
    Ok(Item { count: count.int()? as i8, slot: slot.byte()?, id: id.string()? })
}

pub(super) fn put_abilities(columns: &mut [Vec<u8>; ABILITIES], abilities: &Abilities) {
    let [walk_speed, fly_speed, may_fly, flying, invulnerable, may_build, instabuild] = columns;
    put_f32(walk_speed, abilities.walk_speed);
    put_f32(fly_speed, abilities.fly_speed);
    may_fly.push(abilities.may_fly.into());
    flying.push(abilities.flying.into());
    invulnerable.push(abilities.invulnerable.into());
    may_build.push(abilities.may_build.into());
    instabuild.push(abilities.instabuild.into());
}

pub(super) fn abilities(columns: &mut [Cursor<'_>; ABILITIES]) -> Result<Abilities> {
    let [walk_speed, fly_speed, may_fly, flying, invulnerable, may_build, instabuild] = columns;
    Ok(Abilities {
        walk_speed: walk_speed.f32()?,
        fly_speed: fly_speed.f32()?,
        may_fly: may_fly.flag()?,
        flying: flying.flag()?,
        invulnerable: invulnerable.flag()?,
        may_build: may_build.flag()?,
        instabuild: instabuild.flag()?,
    })
}

pub(super) fn put_entity(columns: &mut [Vec<u8>; ENTITY], entity: &Entity) {
    let [
        id,
        pos_x,
        pos_y,
        pos_z,
        motion_x,
        motion_y,
        motion_z,
        yaw,
        pitch,
        fall_distance,
        fire,
        air,
        on_ground,
        no_gravity,
        invulnerable,
        portal_cooldown,
        uuid_0,
        uuid_1,
        uuid_2,
        uuid_3,
        has_custom_name,
        custom_name,
        custom_name_visible,
        silent,
        glowing,
    ] = columns;
    put_bytes(id, entity.id.as_bytes());
    put_f64(pos_x, entity.pos.0);
    put_f64(pos_y, entity.pos.1);
    put_f64(pos_z, entity.pos.2);
    put_f64(motion_x, entity.motion.0);
    put_f64(motion_y, entity.motion.1);
    put_f64(motion_z, entity.motion.2);
    put_f32(yaw, entity.rotation.0);
    put_f32(pitch, entity.rotation.1);
    put_f32(fall_distance, entity.fall_distance);
    put_varint(fire, entity.fire.into());
    put_varint(air, entity.air.into());
    on_ground.push(entity.on_ground.into());
    no_gravity.push(entity.no_gravity.into());
    invulnerable.push(entity.invulnerable.into());
    put_int(portal_cooldown, entity.portal_cooldown.into());
    put_varint(uuid_0, entity.uuid[0].into());
    put_varint(uuid_1, entity.uuid[1].into());
    put_varint(uuid_2, entity.uuid[2].into());
    put_varint(uuid_3, entity.uuid[3].into());
    has_custom_name.push(entity.custom_name.is_some().into());
    if let Some(name) = &entity.custom_name {
        put_bytes(custom_name, name.as_bytes());
    }
    custom_name_visible.push(entity.custom_name_visible.into());
    silent.push(entity.silent.into());
    glowing.push(entity.glowing.into());
}

pub(super) fn entity(columns: &mut [Cursor<'_>; ENTITY]) -> Result<Entity> {
    let [
        id,
        pos_x,
        pos_y,
        pos_z,
        motion_x,
        motion_y,
        motion_z,
        yaw,
        pitch,
        fall_distance,
        fire,
        air,
        on_ground,
        no_gravity,
        invulnerable,
        portal_cooldown,
        uuid_0,
        uuid_1,
        uuid_2,
        uuid_3,
        has_custom_name,
        custom_name,
        custom_name_visible,
        silent,
        glowing,
    ] = columns;
    Ok(Entity {
        id: id.string()?,
        pos: (pos_x.f64()?, pos_y.f64()?, pos_z.f64()?),
        motion: (motion_x.f64()?, motion_y.f64()?, motion_z.f64()?),
        rotation: (yaw.f32()?, pitch.f32()?),
        fall_distance: fall_distance.f32()?,
        fire: fire.varint()? as u16,
        air: air.varint()? as u16,
        on_ground: on_ground.flag()?,
        no_gravity: no_gravity.flag()?,
        invulnerable: invulnerable.flag()?,
        portal_cooldown: portal_cooldown.int()? as i32,
        uuid: [
            uuid_0.varint()? as u32,
            uuid_1.varint()? as u32,
            uuid_2.varint()? as u32,
            uuid_3.varint()? as u32,
        ],
        custom_name: if has_custom_name.flag()? { Some(custom_name.string()?) } else { None },
        custom_name_visible: custom_name_visible.flag()?,
        silent: silent.flag()?,
        glowing: glowing.flag()?,
    })
}

pub(super) fn put_recipe_book(columns: &mut [Vec<u8>; RECIPE_BOOK], book: &RecipeBook) {
    let [recipes, recipe, displayed, display, flags @ ..] = columns;
    put_varint(recipes, book.recipes.len() as u64);
    for name in &book.recipes {
        put_bytes(recipe, name.as_bytes());
    }
    put_varint(displayed, book.to_be_displayed.len() as u64);
    for name in &book.to_be_displayed {
        put_bytes(display, name.as_bytes());
    }
    let values = [
        book.is_filtering_craftable,
        book.is_gui_open,
        book.is_furnace_filtering_craftable,
        book.is_furnace_gui_open,
        book.is_blasting_furnace_filtering_craftable,
        book.is_blasting_furnace_gui_open,
        book.is_smoker_filtering_craftable,
        book.is_smoker_gui_open,
    ];
    for (column, value) in flags.iter_mut().zip(values) {
        column.push(value.into());
    }
}

pub(super) fn recipe_book(columns: &mut [Cursor<'_>; RECIPE_BOOK]) -> Result<RecipeBook> {
    let [recipes, recipe, displayed, display, flags @ ..] = columns;
    let names = |column: &mut Cursor<'_>, count: &mut Cursor<'_>| -> Result<Vec<String>> {
        list(count.length()?, || column.string())
    };
    let [
        filtering,
        gui,
        furnace_filtering,
        furnace_gui,
        blasting_filtering,
        blasting_gui,
        smoker_filtering,
        smoker_gui,
    ] = flags;
    Ok(RecipeBook {
        recipes: names(recipe, recipes)?,
        to_be_displayed: names(display, displayed)?,
        is_filtering_craftable: filtering.flag()?,
        is_gui_open: gui.flag()?,
        is_furnace_filtering_craftable: furnace_filtering.flag()?,
        is_furnace_gui_open: furnace_gui.flag()?,
        is_blasting_furnace_filtering_craftable: blasting_filtering.flag()?,
        is_blasting_furnace_gui_open: blasting_gui.flag()?,
        is_smoker_filtering_craftable: smoker_filtering.flag()?,
        is_smoker_gui_open: smoker_gui.flag()?,
    })
}
