import { limits } from '@gridmast/contract/limits.ts'
import { useMediaQuery } from '@mantine/hooks'

/** Known at the first render: a layout that is drawn wide and then narrow jumps. */
export const usePhone = (): boolean =>
  useMediaQuery('(max-width: 639px)', undefined, { getInitialValueInEffect: false }) ?? false

const phonePageSize = 10

/** Rows a page of a list: at most ten cards on a phone. */
export const usePageSize = (wide: number = limits.pageSize): number =>
  usePhone() ? Math.min(wide, phonePageSize) : wide
