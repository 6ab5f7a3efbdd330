import { account } from './account.ts'
import { fleet } from './fleet.ts'
import { insights } from './insights.ts'
import { main } from './main.ts'

/**
 * All screens inside of the shell by path, in the order of the sidebar and the menus. A new screen is a new row, with its page in a product's
 * folder.
 */
export const screens = { ...main, ...insights, ...fleet, ...account }

export type Screens = typeof screens
export type ScreenPath = keyof Screens
