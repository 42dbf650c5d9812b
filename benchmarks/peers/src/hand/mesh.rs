//! Triangles by hand: twelve columns of four bytes a value.

use super::Columnar;
use super::bytes::{Cursor, Result, columns, cursors, put_f32};
use crate::data::mesh::{FirstX, Mesh, Normal, Triangle, Vector3, X};
use std::borrow::Cow;

impl Columnar for Mesh {
    fn encode(rows: &[Triangle]) -> Vec<Vec<u8>> {
        let mut columns: [Vec<u8>; 12] = columns();
        for column in &mut columns {
            column.reserve(4 * rows.len());
        }
        let [v0x, v0y, v0z, v1x, v1y, v1z, v2x, v2y, v2z, nx, ny, nz] = &mut columns;
        for row in rows {
            put(v0x, v0y, v0z, row.v0);
            put(v1x, v1y, v1z, row.v1);
            put(v2x, v2y, v2z, row.v2);
            put(nx, ny, nz, row.normal);
        }
        columns.into()
    }

    fn decode(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Triangle>> {
        let [
            mut v0x,
            mut v0y,
            mut v0z,
            mut v1x,
            mut v1y,
            mut v1z,
            mut v2x,
            mut v2y,
            mut v2z,
            mut nx,
            mut ny,
            mut nz,
        ] = cursors::<12>(columns)?;
        let mut triangles = Vec::with_capacity(rows);
        for _ in 0..rows {
            triangles.push(Triangle {
                v0: vector(&mut v0x, &mut v0y, &mut v0z)?,
                v1: vector(&mut v1x, &mut v1y, &mut v1z)?,
                v2: vector(&mut v2x, &mut v2y, &mut v2z)?,
                normal: vector(&mut nx, &mut ny, &mut nz)?,
            });
        }
        Ok(triangles)
    }

    const ONE_COLUMNS: &'static [usize] = &[0];

    fn decode_one(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<FirstX>> {
        let [mut x] = cursors(columns)?;
        let mut triangles = Vec::with_capacity(rows);
        for _ in 0..rows {
            triangles.push(FirstX { v0: X { x: x.f32()? } });
        }
        Ok(triangles)
    }

    const THREE_COLUMNS: &'static [usize] = &[9, 10, 11];

    fn decode_three(rows: usize, columns: &[Cow<'_, [u8]>]) -> Result<Vec<Normal>> {
        let [mut x, mut y, mut z] = cursors(columns)?;
        let mut triangles = Vec::with_capacity(rows);
        for _ in 0..rows {
            triangles.push(Normal { normal: vector(&mut x, &mut y, &mut z)? });
        }
        Ok(triangles)
    }
}

#[inline]
fn put(x: &mut Vec<u8>, y: &mut Vec<u8>, z: &mut Vec<u8>, vector: Vector3) {
    put_f32(x, vector.x);
    put_f32(y, vector.y);
    put_f32(z, vector.z);
}

#[inline]
fn vector(x: &mut Cursor<'_>, y: &mut Cursor<'_>, z: &mut Cursor<'_>) -> Result<Vector3> {
    Ok(Vector3 { x: x.f32()?, y: y.f32()?, z: z.f32()? })
}
