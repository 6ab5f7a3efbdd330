import '#ui/theme/mantine-pages.ts'

/** Loaded with the first dialog. */
export { Modal as default } from '@mantine/core'
