import { limits } from '@gridmast/contract/limits.ts'
import PQueue from 'p-queue'
import sharp from 'sharp'

// Pictures are rare and small; without threads and cache the memory of the process stays flat.
sharp.concurrency(1)
sharp.cache(false)
// Uploaded bytes reach the JPEG and PNG loaders only.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })

const sidePixels = 128
const magic = { jpeg: [0xff, 0xd8, 0xff], png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] }

const isPicture = (bytes: Uint8Array) =>
  Object.values(magic).some((first) => first.every((byte, place) => bytes[place] === byte))

/** One at a time: a picture of 16 megapixels takes about 60 MB while it is decoded. */
const queue = new PQueue({ concurrency: 1 })

/**
 * A data: URL of 128 x 128 pixels, redrawn so that only the pixels of the file are kept (security rule L1). `format`
 * for anything but a complete JPEG or PNG, `size` above 16 megapixels.
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
