//! Writes the flights of the repository's sample to a folder of parts, and asks questions about them.
//!
//! `cargo run -p trevni-datafusion --all-features --example flights`

use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use std::io::Read;

/// A sample of real flights, from the airports of New York.
const FLIGHTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/flights.csv.gz");

#[tokio::main]
async fn main() -> Result<()> {
    let session = SessionContext::new();
    trevni_datafusion::register(&session)?;
    let folder = std::env::temp_dir().join(format!("trevni-datafusion-flights-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;

    // The command line would do this in one step: trevni convert flights.csv.gz.
    let csv = folder.join("flights.csv");
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(FLIGHTS)?).read_to_string(&mut text)?;
    let cell = |cell| if cell == "NA" { "" } else { cell };
    let rows = text.lines().map(|line| line.split(',').map(cell).collect::<Vec<_>>().join(","));
    std::fs::write(&csv, rows.collect::<Vec<_>>().join("\n"))?;
    let statements = [
        format!("CREATE EXTERNAL TABLE csv STORED AS CSV LOCATION '{}'", csv.display()),
        format!(
            "COPY (SELECT * FROM csv) TO '{}/by_origin/' STORED AS TREVNI PARTITIONED BY (origin)",
            folder.display()
        ),
        format!(
            "CREATE EXTERNAL TABLE flights STORED AS TREVNI PARTITIONED BY (origin) LOCATION '{}/by_origin/'",
            folder.display()
        ),
    ];
    for statement in statements {
        session.sql(&statement).await?.collect().await?;
    }
    for question in [
        "SELECT origin, count(*) AS flights, round(avg(dep_delay), 2) AS delay FROM flights GROUP BY origin ORDER BY origin",
        "SELECT carrier, dest, distance FROM flights WHERE origin = 'JFK' AND distance > 4000 LIMIT 3",
        "SELECT dest, max(dep_delay) AS delay FROM flights WHERE dep_delay > 120 AND dest LIKE 'S%' GROUP BY dest ORDER BY dest",
    ] {
        println!("{question}");
        session.sql(question).await?.show().await?;
    }
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
