//! Numbers as bytes, least significant first.

use realfft::num_complex::Complex;

/// A value of a fixed number of bytes.
pub(crate) trait Plain: Copy + Send + Sync {
    /// Number of bytes.
    const BYTES: usize;
    /// Writes the value to so many bytes.
    fn put(self, bytes: &mut [u8]);
    /// Reads it back.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! plain {
    ($($number:ty),*) => {$(
        impl Plain for $number {
            const BYTES: usize = size_of::<$number>();

            #[inline]
            fn put(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn get(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$number>()];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }
        }
    )*};
}

plain!(u8, u32, u64, f32, f64);

impl<T: Plain + Default, const N: usize> Plain for [T; N] {
    const BYTES: usize = N * T::BYTES;

    #[inline]
    fn put(self, bytes: &mut [u8]) {
        for (value, bytes) in self.into_iter().zip(bytes.chunks_exact_mut(T::BYTES)) {
            value.put(bytes);
        }
    }

    #[inline]
    fn get(bytes: &[u8]) -> Self {
        std::array::from_fn(|k| T::get(&bytes[k * T::BYTES..(k + 1) * T::BYTES]))
    }
}

impl<T: Plain> Plain for Complex<T> {
    const BYTES: usize = 2 * T::BYTES;

    #[inline]
    fn put(self, bytes: &mut [u8]) {
        let (re, im) = bytes.split_at_mut(T::BYTES);
        self.re.put(re);
        self.im.put(im);
    }

    #[inline]
    fn get(bytes: &[u8]) -> Self {
        let (re, im) = bytes.split_at(T::BYTES);
        Self { re: T::get(re), im: T::get(im) }
    }
}

/// The bytes of the values, one after the other.
pub(crate) fn to_bytes<T: Plain>(values: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * T::BYTES];
    for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(T::BYTES)) {
        value.put(bytes);
    }
    bytes
}

/// The values of such bytes.
pub(crate) fn from_bytes<T: Plain>(bytes: &[u8]) -> impl ExactSizeIterator<Item = T> {
    bytes.chunks_exact(T::BYTES).map(T::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_give_back_the_values() {
        let values = [[1.5, -0.0], [f64::INFINITY, 1e-310]];
        let back: Vec<[f64; 2]> = from_bytes(&to_bytes(&values)).collect();
        assert_eq!(
            back.as_flattened().iter().map(|v| v.to_bits()).collect::<Vec<_>>(),
            [1.5_f64.to_bits(), (-0.0_f64).to_bits(), f64::INFINITY.to_bits(), 1e-310_f64.to_bits()]
        );
        let complex = [Complex::new(1.0_f32, -2.0), Complex::new(0.5, 3.0)];
        assert_eq!(from_bytes::<Complex<f32>>(&to_bytes(&complex)).collect::<Vec<_>>(), complex);
    }
}
