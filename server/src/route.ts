import type { Viewer } from '#access/viewer.ts'
import type { App } from './app.ts'
import { makeRoute } from '#platform/route.ts'

/** Binds a handler to a call of the contract, with this server's context and viewer. */
export const route = makeRoute<App, Viewer>()
