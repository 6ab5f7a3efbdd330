export { MultiSelect as default } from '@mantine/core'
