import { Outlet } from '@tanstack/react-router'
import { PendingBar } from './PendingBar.tsx'

/** What every page stands in: the bar of pending calls. */
export const Root = () => (
  <>
    <PendingBar />
    <Outlet />
  </>
)
