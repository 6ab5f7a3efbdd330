import { limits } from '@gridmast/contract/limits.ts'
import PQueue from 'p-queue'
import sharp from 'sharp'

// Pictures are rare and small here: no threads and no cache keep the process's memory flat.
sharp.concurrency(1)
sharp.cache(false)
// Nothing but the two loaders below ever sees what people send.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })

const sidePixels = 128
const magic = { jpeg: [0xff, 0xd8, 0xff], png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] }

const isPicture = (bytes: Uint8Array) =>
  Object.values(magic).some((first) => first.every((byte, place) => bytes[place] === byte))

/** One after another: a picture of 16 megapixels takes some 60 MB while it is read. */
const queue = new PQueue({ concurrency: 1 })

/**
 * A picture of a person as a data: URL: 128 x 128, drawn anew, so that nothing of the file but its pixels is kept
 * (security rule L1). Says `format` for what is no whole JPEG or PNG and `size` for more than 16 megapixels.
 */
export const smallPicture = async (bytes: Buffer): Promise<{ url: string } | { refused: 'format' | 'size' }> => {
  if (!isPicture(bytes)) return { refused: 'format' }
  return queue.add(async () => {
    try {
      const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
      if (width * height > limits.imagePixels) return { refused: 'size' }
      const small = await sharp(bytes, { limitInputPixels: limits.imagePixels, failOn: 'error' })
        .autoOrient()
        .resize(sidePixels, sidePixels, { fit: 'cover' })
        .flatten({ background: '#ffffff' })
        .toColourspace('srgb')
        .jpeg({ quality: 82 })
        .timeout({ seconds: 10 })
        .toBuffer()
      return { url: `data:image/jpeg;base64,${small.toString('base64')}` }
    } catch {
      return { refused: 'format' }
    }
  })
}
