import type { Data } from '@gridmast/contract/call.ts'
import type { fleetDashboard } from '@gridmast/contract/charging/charge-fleet.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '#lib/api.ts'

export type FleetRead = UseQueryResult<Data<typeof fleetDashboard>, ApiError>
