import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { smallPicture } from './picture.ts'

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b2545' }, limitInputPixels: false })

/** Noise does not compress, so truncated bytes are missing pixels. */
const noise = () =>
  sharp({
    create: {
      width: 300,
      height: 200,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

const decoded = async (bytes: Buffer) => {
  const made = await smallPicture(bytes)
  if (!('url' in made)) throw new Error(made.refused)
  expect(made.url).toMatch(/^data:image\/jpeg;base64,[A-Za-z0-9+/=]+$/)
  return Buffer.from(made.url.split(',')[1] ?? '', 'base64')
}

describe('L1 a picture', () => {
  test.each(['jpeg', 'png'] as const)('of type %s becomes a small JPEG', async (format) => {
    const small = await decoded(await noise().toFormat(format).toBuffer())
    expect(await sharp(small).metadata()).toMatchObject({ format: 'jpeg', width: 128, height: 128 })
    expect(small.length).toBeLessThan(20_000)
  })

  test('location, time and appended data are removed from a picture', async () => {
    const place = { IFD0: { Copyright: 'CANARY-EXIF' } }
    const picture = await noise().jpeg().withExif(place).withIccProfile('p3').toBuffer()
    const polyglot = Buffer.concat([picture, Buffer.from('<script>CANARY-TAIL</script>PK\u0003\u0004')])
    expect(polyglot.toString('latin1')).toContain('CANARY-EXIF')
    const small = await decoded(polyglot)
    expect(small.toString('latin1')).not.toContain('CANARY')
    expect(await sharp(small).metadata()).not.toHaveProperty('exif')
    expect(await sharp(small).metadata()).not.toHaveProperty('icc')
  })

  test('a picture of exactly 16 megapixels is accepted, one more row is refused', async () => {
    const taken = await drawn(4000, 4000).png({ compressionLevel: 9 }).toBuffer()
    const tooLarge = await drawn(4000, 4001).png({ compressionLevel: 9 }).toBuffer()
    expect(taken.length).toBeLessThan(2_000_000)
    expect(await smallPicture(taken)).toHaveProperty('url')
    expect(await smallPicture(tooLarge)).toEqual({ refused: 'size' })
  }, 30_000)

  test.each(['jpeg', 'png'] as const)('of type %s that is cut off is refused', async (format) => {
    const whole = await noise().toFormat(format).toBuffer()
    for (const part of [0.9, 0.5, 0.01])
      expect(await smallPicture(whole.subarray(0, whole.length * part))).toEqual({ refused: 'format' })
  })

  test('a file that is no picture is refused, whatever its name', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
    const gif = await drawn(4, 4).gif().toBuffer()
    const webp = await drawn(4, 4).webp().toBuffer()
    const png = await drawn(4, 4).png().toBuffer()
    const others = [
      Buffer.alloc(0),
      Buffer.from(svg),
      gif,
      webp,
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      Buffer.concat([Buffer.from('<html>'), png]),
      Buffer.concat([png.subarray(0, 8), Buffer.from('<html><script>alert(1)</script>')]),
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)]),
    ]
    for (const bytes of others) expect(await smallPicture(bytes)).toEqual({ refused: 'format' })
  })
})
