import { formatNumber } from '@gridmast/contract/numbers.ts'

/** An amount of euros or kroner, without its unit. */
export const money = (amount: string | null | undefined): string => formatNumber(amount, { decimals: 2 })

/** Power of a bid or a slot, without its unit. */
export const megawatts = (mw: string | null | undefined): string => formatNumber(mw, { decimals: 3, minDecimals: 0 })
