import { deliveries } from './deliveries.ts'
import { manage } from './manage.ts'

export const webhooks = [...manage, ...deliveries]
