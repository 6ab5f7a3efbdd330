import { useMediaQuery } from '@mantine/hooks'

/** Known at the first render: a layout that is drawn wide and then narrow jumps. */
export const usePhone = (): boolean =>
  useMediaQuery('(max-width: 639px)', undefined, { getInitialValueInEffect: false }) ?? false
