import { account } from './account.ts'
import { fleet } from './fleet.ts'
import { insights } from './insights.ts'
import { main } from './main.ts'

/** All screens inside the shell by their paths, in the order of the sidebar and the menus. Adding a screen is adding a row, and its page in the folder of a product. */
export const screens = { ...main, ...insights, ...fleet, ...account }

export type Screens = typeof screens
export type ScreenPath = keyof Screens
