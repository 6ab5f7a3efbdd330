import './no-react-traces.ts'
import * as React from 'react'

/** React's name for what its packages share; it counts the elements whose call stack it has kept, ten thousand a second at most. */
const shared: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
if (typeof shared === 'object' && shared !== null)
  Object.defineProperty(shared, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => {} })
