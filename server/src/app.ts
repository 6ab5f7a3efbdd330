import { alerts } from './domains/alerts/routes.ts'
import { apiKeys } from './domains/api-keys/routes.ts'
import { audits } from './domains/audit/routes.ts'
import { auth, authJobs } from './domains/auth/routes.ts'
import { bidBases } from './domains/bid-requests/basis.ts'
import { bidRequests } from './domains/bid-requests/routes.ts'
import { pastJob } from './domains/bid-requests/demo-past.ts'
import { bidExports } from './domains/bid-requests/export.ts'
import { bidImports } from './domains/bid-requests/import.ts'
import { bidResults } from './domains/bid-requests/result-file.ts'
import { configJob } from './domains/bid-requests/edge-config.ts'
import { guardJob } from './domains/bid-requests/guard.ts'
import { placingJob } from './domains/bid-requests/placing.ts'
import { resultsJob } from './domains/bid-requests/results.ts'
import { soldRisks } from './domains/bid-requests/sold-risks.ts'
import { soldCapacities } from './domains/bid-requests/sold-capacity.ts'
import { capacity } from './domains/capacity/routes.ts'
import { carbon } from './domains/carbon/routes.ts'
import { chargeFleet } from './domains/charge-fleet/routes.ts'
import { costsJob } from './domains/charging-costs/count.ts'
import { chargingCosts } from './domains/charging-costs/routes.ts'
import { monthlyCharging } from './domains/charging-costs/statement.ts'
import { customers } from './domains/customer/routes.ts'
import { emailSubscriptions } from './domains/email-subscriptions/routes.ts'
import { serveOneClick } from './domains/email-subscriptions/unsubscribe.ts'
import { dataHub } from './domains/data-hub/routes.ts'
import { dataHubJobs } from './domains/data-hub/sync.ts'
import { equipment } from './domains/equipment/routes.ts'
import { evCharging } from './domains/ev-charging/routes.ts'
import { budgetsJob } from './domains/ev-charging/spending.ts'
import { events } from './domains/events/routes.ts'
import { frequency } from './domains/frequency/routes.ts'
import { licences } from './domains/licences/routes.ts'
import { live } from './domains/live/routes.ts'
import { openProviders } from './domains/payments/account.ts'
import { paymentsJob } from './domains/payments/follow.ts'
import { paymentKind } from './domains/payments/operations.ts'
import { payments } from './domains/payments/routes.ts'
import { servePayments } from './domains/payments/told.ts'
import { prices } from './domains/prices/routes.ts'
import { marketDataJobs } from './domains/market-data/jobs.ts'
import { profiles } from './domains/profile/routes.ts'
import { serveDevMail } from './domains/system/pages.ts'
import { system } from './domains/system/routes.ts'
import { recompareJob } from './domains/reconciliation/recompare.ts'
import { reconciliations } from './domains/reconciliation/routes.ts'
import { revenueCalculators } from './domains/revenue-calculator/routes.ts'
import { scope2 } from './domains/scope-2/routes.ts'
import { statements } from './domains/statements/routes.ts'
import { statementsJob } from './domains/statements/send.ts'
import { settlementStatement } from './domains/statements/settlement-statement.ts'
import { loadShifting } from './domains/load-shifting/routes.ts'
import { savingsJob } from './domains/load-shifting/savings.ts'
import { supportNotes } from './domains/support-notes/routes.ts'
import { economics } from './domains/economics/routes.ts'
import { settlementsJob } from './domains/economics/settle-due.ts'
import { finalDays } from './domains/economics/record.ts'
import { finalEvents } from './domains/events/record.ts'
import { sealingJob } from '#flight-record/sealing.ts'
import { systemJobs } from './domains/system/jobs.ts'
import { versions } from './domains/versions/routes.ts'
import { webhooks } from './domains/webhooks/routes.ts'
import type { FastifyInstance } from 'fastify'
import type { Job } from '#platform/jobs.ts'
import type { Kind } from '#platform/outbox.ts'
import type { BoundRoute } from '#platform/route.ts'
import type { App } from './context.ts'

/** The domains, one line each. */
export const routes: BoundRoute[] = [
  ...auth,
  ...profiles,
  ...customers,
  ...apiKeys,
  ...webhooks,
  ...emailSubscriptions,
  ...audits,
  ...frequency,
  ...capacity,
  ...equipment,
  ...licences,
  ...alerts,
  ...events,
  ...bidRequests,
  ...bidBases,
  ...bidExports,
  ...bidImports,
  ...bidResults,
  ...soldCapacities,
  soldRisks,
  ...prices,
  ...carbon,
  ...dataHub,
  ...scope2,
  ...evCharging,
  ...chargeFleet,
  ...chargingCosts,
  ...payments,
  ...economics,
  ...reconciliations,
  ...statements,
  ...revenueCalculators,
  ...loadShifting,
  ...supportNotes,
  ...versions,
  ...live,
  ...system,
]
export const jobs: Job<App>[] = [
  ...authJobs,
  ...marketDataJobs,
  placingJob,
  resultsJob,
  pastJob,
  guardJob,
  costsJob,
  paymentsJob,
  budgetsJob,
  configJob,
  settlementsJob,
  recompareJob,
  statementsJob([settlementStatement, monthlyCharging]),
  sealingJob([finalEvents, finalDays]),
  savingsJob,
  ...dataHubJobs,
  ...systemJobs,
]

/** What leaves the house beside mails and webhooks. */
export const outboxKinds = (app: App): Record<string, Kind> => ({ ...paymentKind(app, openProviders(app)) })

/** What is no call: the doors of mail programs and of the provider of payments, and the mails of a demo. */
export const servePages = (http: FastifyInstance, app: App): void => {
  serveOneClick(http, app)
  servePayments(http, app)
  if (app.config.demo) serveDevMail(http, app)
}
