//! Wide and nested rows: players of a game, with options, lists and an enum.

use super::{DataSet, Source};
use crate::random::Random;
use apache_avro::{AvroSchema, AvroSchemaComponent};
use serde::{Deserialize, Serialize};

/// How a player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, AvroSchema)]
pub enum GameType {
    Survival,
    Creative,
    Adventure,
    Spectator,
}

impl GameType {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::Survival, Self::Creative, Self::Adventure, Self::Spectator];
}

/// Some things of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Item {
    pub count: i8,
    pub slot: u8,
    pub id: String,
}

/// What a player may do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Abilities {
    pub walk_speed: f32,
    pub fly_speed: f32,
    pub may_fly: bool,
    pub flying: bool,
    pub invulnerable: bool,
    pub may_build: bool,
    pub instabuild: bool,
}

/// Where something is, or where it goes.
pub type Point = (f64, f64, f64);

/// An animal or a vehicle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Entity {
    pub id: String,
    #[avro(with = <Point as AvroSchemaComponent>::get_schema_in_ctxt)]
    pub pos: Point,
    #[avro(with = <Point as AvroSchemaComponent>::get_schema_in_ctxt)]
    pub motion: Point,
    #[avro(with = <(f32, f32) as AvroSchemaComponent>::get_schema_in_ctxt)]
    pub rotation: (f32, f32),
    pub fall_distance: f32,
    pub fire: u16,
    pub air: u16,
    pub on_ground: bool,
    pub no_gravity: bool,
    pub invulnerable: bool,
    pub portal_cooldown: i32,
    pub uuid: [u32; 4],
    pub custom_name: Option<String>,
    pub custom_name_visible: bool,
    pub silent: bool,
    pub glowing: bool,
}

/// What a player can make.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct RecipeBook {
    pub recipes: Vec<String>,
    pub to_be_displayed: Vec<String>,
    pub is_filtering_craftable: bool,
    pub is_gui_open: bool,
    pub is_furnace_filtering_craftable: bool,
    pub is_furnace_gui_open: bool,
    pub is_blasting_furnace_filtering_craftable: bool,
    pub is_blasting_furnace_gui_open: bool,
    pub is_smoker_filtering_craftable: bool,
    pub is_smoker_gui_open: bool,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Player {
    pub game_type: GameType,
    pub previous_game_type: GameType,
    pub score: i64,
    pub dimension: String,
    pub selected_item_slot: u32,
    pub selected_item: Item,
    pub spawn_dimension: Option<String>,
    pub spawn_x: i64,
    pub spawn_y: i64,
    pub spawn_z: i64,
    pub spawn_forced: Option<bool>,
    pub sleep_timer: u16,
    pub food_exhaustion_level: f32,
    pub food_saturation_level: f32,
    pub food_tick_timer: u32,
    pub xp_level: u32,
    pub xp_p: f32,
    pub xp_total: i32,
    pub xp_seed: i32,
    pub inventory: Vec<Item>,
    pub ender_items: Vec<Item>,
    pub abilities: Abilities,
    pub entered_nether_position: Option<Point>,
    pub root_vehicle: Option<([u32; 4], Entity)>,
    pub shoulder_entity_left: Option<Entity>,
    pub shoulder_entity_right: Option<Entity>,
    pub seen_credits: bool,
    pub recipe_book: RecipeBook,
}

/// One field of a player.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Player")]
pub struct Experience {
    pub xp_total: i32,
}

/// Three fields of a player.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Player")]
pub struct Standing {
    pub game_type: GameType,
    pub xp_total: i32,
    pub entered_nether_position: Option<Point>,
}

/// The data set.
pub struct Minecraft;

impl DataSet for Minecraft {
    const NAME: &'static str = "minecraft_savedata";
    type Row = Player;
    type One = Experience;
    const ONE: &'static [&'static str] = &["xp_total"];
    type Three = Standing;
    const THREE: &'static [&'static str] = &["game_type", "xp_total", "entered_nether_position"];
    type Value = i32;
    type Arrow = arrow_array::types::Int32Type;
    const COLUMN: &'static str = "xp_total";

    fn rows(source: &Source) -> Vec<Player> {
        let mut random = Random::new(0x6d69_6e65);
        (0..source.count(500)).map(|_| player(&mut random)).collect()
    }

    fn one(row: &Player) -> Experience {
        Experience { xp_total: row.xp_total }
    }

    fn three(row: &Player) -> Standing {
        Standing {
            game_type: row.game_type,
            xp_total: row.xp_total,
            entered_nether_position: row.entered_nether_position,
        }
    }

    fn value(row: &Player) -> i32 {
        row.xp_total
    }
}

fn player(random: &mut Random) -> Player {
    Player {
        game_type: game_type(random),
        previous_game_type: game_type(random),
        score: random.bits() as i64,
        dimension: random.pick(&DIMENSIONS).to_owned(),
        selected_item_slot: random.word(),
        selected_item: item(random),
        spawn_dimension: random.maybe(|random| random.pick(&DIMENSIONS).to_owned()),
        spawn_x: random.bits() as i64,
        spawn_y: random.bits() as i64,
        spawn_z: random.bits() as i64,
        spawn_forced: random.maybe(Random::coin),
        sleep_timer: random.word() as u16,
        food_exhaustion_level: random.single(),
        food_saturation_level: random.single(),
        food_tick_timer: random.word(),
        xp_level: random.word(),
        xp_p: random.single(),
        xp_total: random.word() as i32,
        xp_seed: random.word() as i32,
        inventory: items(40, random),
        ender_items: items(27, random),
        abilities: Abilities {
            walk_speed: random.single(),
            fly_speed: random.single(),
            may_fly: random.coin(),
            flying: random.coin(),
            invulnerable: random.coin(),
            may_build: random.coin(),
            instabuild: random.coin(),
        },
        entered_nether_position: random.maybe(point),
        root_vehicle: random.maybe(|random| (uuid(random), entity(random))),
        shoulder_entity_left: random.maybe(entity),
        shoulder_entity_right: random.maybe(entity),
        seen_credits: random.coin(),
        recipe_book: recipe_book(random),
    }
}

fn game_type(random: &mut Random) -> GameType {
    GameType::ALL[random.below(GameType::ALL.len())]
}

/// Fewer than `limit` items.
fn items(limit: usize, random: &mut Random) -> Vec<Item> {
    (0..random.below(limit)).map(|_| item(random)).collect()
}

fn item(random: &mut Random) -> Item {
    Item { count: random.word() as i8, slot: random.word() as u8, id: random.pick(&ITEMS).to_owned() }
}

fn entity(random: &mut Random) -> Entity {
    Entity {
        id: random.pick(&ENTITIES).to_owned(),
        pos: point(random),
        motion: point(random),
        rotation: (random.single(), random.single()),
        fall_distance: random.single(),
        fire: random.word() as u16,
        air: random.word() as u16,
        on_ground: random.coin(),
        no_gravity: random.coin(),
        invulnerable: random.coin(),
        portal_cooldown: random.word() as i32,
        uuid: uuid(random),
        custom_name: random.maybe(|random| random.pick(&NAMES).to_owned()),
        custom_name_visible: random.coin(),
        silent: random.coin(),
        glowing: random.coin(),
    }
}

fn point(random: &mut Random) -> Point {
    (random.double(), random.double(), random.double())
}

fn uuid(random: &mut Random) -> [u32; 4] {
    [random.word(), random.word(), random.word(), random.word()]
}

fn recipe_book(random: &mut Random) -> RecipeBook {
    let mut recipes = |limit| (0..random.below(limit)).map(|_| random.pick(&RECIPES).to_owned()).collect();
    RecipeBook {
        recipes: recipes(30),
        to_be_displayed: recipes(10),
        is_filtering_craftable: random.coin(),
        is_gui_open: random.coin(),
        is_furnace_filtering_craftable: random.coin(),
        is_furnace_gui_open: random.coin(),
        is_blasting_furnace_filtering_craftable: random.coin(),
        is_blasting_furnace_gui_open: random.coin(),
        is_smoker_filtering_craftable: random.coin(),
        is_smoker_gui_open: random.coin(),
    }
}

const DIMENSIONS: [&str; 3] = ["overworld", "nether", "end"];
const ITEMS: [&str; 8] = ["dirt", "stone", "pickaxe", "sand", "gravel", "shovel", "chestplate", "steak"];
const ENTITIES: [&str; 8] = ["cow", "sheep", "zombie", "skeleton", "spider", "creeper", "parrot", "bee"];
const NAMES: [&str; 8] = ["rainbow", "princess", "steve", "johnny", "missy", "coward", "fairy", "howard"];
const RECIPES: [&str; 8] = ["pickaxe", "torch", "bow", "crafting table", "furnace", "shears", "arrow", "tnt"];
