//! Rectangles whose areas are shares: squarified treemaps (Bruls, Huizing and van Wijk, 2000).

/// A part of an area, in percent of its width and height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tile {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Tiles that fill an area in the order of the sizes, which are best given the largest first. `ratio` is the area's width
/// by its height.
pub(super) fn tiles(sizes: &[f64], ratio: f64) -> Vec<Tile> {
    let sum: f64 = sizes.iter().sum();
    if sum <= 0.0 {
        return Vec::new();
    }
    // Of an area that is `ratio` wide and 1 high.
    let areas: Vec<f64> = sizes.iter().map(|size| size / sum * ratio).collect();
    let mut free = Tile { left: 0.0, top: 0.0, width: ratio, height: 1.0 };
    let (mut tiles, mut rest) = (Vec::with_capacity(areas.len()), &areas[..]);
    while !rest.is_empty() {
        let (row, others) = rest.split_at(row(rest, free.width.min(free.height)));
        free = fill(row, free, &mut tiles);
        rest = others;
    }
    let percent = |tile: Tile| Tile {
        left: 100.0 * tile.left / ratio,
        top: 100.0 * tile.top,
        width: 100.0 * tile.width / ratio,
        height: 100.0 * tile.height,
    };
    tiles.into_iter().map(percent).collect()
}

/// How many of the areas make a row along a side: as long as their worst shape becomes better.
fn row(areas: &[f64], side: f64) -> usize {
    let mut best = f64::INFINITY;
    let (mut sum, mut least, mut greatest) = (0.0, f64::INFINITY, 0.0f64);
    for (count, area) in areas.iter().enumerate() {
        sum += area;
        (least, greatest) = (least.min(*area), greatest.max(*area));
        let worst = (side * side * greatest / (sum * sum)).max(sum * sum / (side * side * least));
        if count > 0 && (worst > best || worst.is_nan()) {
            return count;
        }
        best = worst;
    }
    areas.len()
}

/// Lays a row along the shorter side of what is free, and gives what is free then.
fn fill(row: &[f64], free: Tile, tiles: &mut Vec<Tile>) -> Tile {
    let sum: f64 = row.iter().sum();
    let is_wide = free.width >= free.height;
    let (side, long) = if is_wide { (free.height, free.width) } else { (free.width, free.height) };
    let depth = if side > 0.0 { (sum / side).min(long) } else { 0.0 };
    let mut along = 0.0;
    for area in row {
        let length = if sum > 0.0 { side * area / sum } else { 0.0 };
        tiles.push(match is_wide {
            true => Tile { left: free.left, top: free.top + along, width: depth, height: length },
            false => Tile { left: free.left + along, top: free.top, width: length, height: depth },
        });
        along += length;
    }
    match is_wide {
        true => Tile { left: free.left + depth, width: free.width - depth, ..free },
        false => Tile { top: free.top + depth, height: free.height - depth, ..free },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(tile: &Tile) -> f64 {
        tile.width * tile.height / 10_000.0
    }

    #[test]
    fn areas_are_shares_and_tiles_do_not_overlap() {
        for count in [1usize, 2, 3, 7, 40, 300] {
            for ratio in [0.3, 1.0, 2.4] {
                let sizes: Vec<f64> = (0..count).map(|n| 1000.0 / (n as f64 + 1.0).powf(1.3)).collect();
                let (sum, tiles) = (sizes.iter().sum::<f64>(), tiles(&sizes, ratio));
                assert_eq!(tiles.len(), count);
                for (tile, size) in tiles.iter().zip(&sizes) {
                    assert!((area(tile) - size / sum).abs() < 1e-9, "{tile:?}");
                    let (right, bottom) = (tile.left + tile.width, tile.top + tile.height);
                    assert!(
                        tile.left >= 0.0 && tile.top >= 0.0 && right < 100.001 && bottom < 100.001,
                        "{tile:?}"
                    );
                }
                for (at, one) in tiles.iter().enumerate() {
                    for two in &tiles[..at] {
                        let width = (one.left + one.width).min(two.left + two.width) - one.left.max(two.left);
                        let height = (one.top + one.height).min(two.top + two.height) - one.top.max(two.top);
                        assert!(width < 1e-6 || height < 1e-6, "{one:?} {two:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn tiles_are_nearly_square() {
        let tiles = tiles(&[6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0], 1.5);
        // The example of the paper: all tiles but one have sides of at most 1 to 3.
        for tile in &tiles {
            let (width, height) = (1.5 * tile.width, tile.height);
            assert!((width / height).max(height / width) < 3.0, "{tile:?}");
        }
    }

    #[test]
    fn nothing_has_no_tiles() {
        assert_eq!(tiles(&[], 1.0), []);
        assert_eq!(tiles(&[0.0, 0.0], 1.0), []);
        let tiles = tiles(&[1.0, 0.0], 1.0);
        assert!(tiles.len() == 2 && tiles.iter().all(|tile| tile.width.is_finite()), "{tiles:?}");
    }
}
