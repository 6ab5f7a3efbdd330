import { Outlet } from '@tanstack/react-router'
import { useTitle } from './current-screen.ts'

export const PublicLayout = () => {
  useTitle(null)
  return <Outlet />
}
