import { createSpotlight } from '@mantine/spotlight'

/** Whether the palette is open, and its switch. */
export const [paletteStore, palette] = createSpotlight()
