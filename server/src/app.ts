import { apiKeys } from './people/api-keys/routes.ts'
import { pushDevices } from './people/push/routes.ts'
import { pushKind } from './people/push/send.ts'
import { savedViews } from './people/saved-views/routes.ts'
import { audits } from './people/audit/routes.ts'
import { auth, authJobs } from './people/auth/routes.ts'
import { customers } from './people/customer/routes.ts'
import { reportRoutes } from './people/reports/routes.ts'
import { reportsJob } from './people/reports/send.ts'
import { emailSubscriptions } from './people/email-subscriptions/routes.ts'
import { serveOneClick } from './people/email-subscriptions/unsubscribe.ts'
import { licences } from './people/licences/routes.ts'
import { homeVisits } from './people/home-visit/routes.ts'
import { profiles } from './people/profile/routes.ts'
import { supportNotes } from './people/support-notes/routes.ts'
import { versions } from './people/versions/routes.ts'
import { webhooks } from './people/webhooks/routes.ts'
import { capacity } from './grid/capacity/routes.ts'
import { energyNowRoutes } from './grid/energy-now/routes.ts'
import { carbon } from './grid/carbon/routes.ts'
import { frequency } from './grid/frequency/routes.ts'
import { marketDataJobs } from './grid/market-data/jobs.ts'
import { prices } from './grid/prices/routes.ts'
import { revenueCalculators } from './grid/revenue-calculator/routes.ts'
import { alerts } from './delivery/alerts/routes.ts'
import { annotations } from './delivery/annotations/routes.ts'
import { equipment } from './delivery/equipment/routes.ts'
import { finalEvents } from './delivery/events/record.ts'
import { events } from './delivery/events/routes.ts'
import { sealingJob } from './delivery/flight-record/sealing.ts'
import { edges } from './delivery/instances/routes.ts'
import { live } from './delivery/live/routes.ts'
import { guardJob } from './trading/guard/guard.ts'
import { soldRisks } from './trading/guard/sold-risks.ts'
import { placingJob } from './trading/placing/placing.ts'
import { bidExports } from './trading/requests/export.ts'
import { bidImports } from './trading/requests/import.ts'
import { bidRequests } from './trading/requests/routes.ts'
import { bidBases } from './trading/requests/slot-history.ts'
import { bidResults } from './trading/results/result-file.ts'
import { resultsJob } from './trading/results/results.ts'
import { configJob } from './trading/sold/edge-config.ts'
import { soldCapacities } from './trading/sold/sold-capacity.ts'
import { finalDays } from './settlement/economics/record.ts'
import { economics } from './settlement/economics/routes.ts'
import { settlementsJob } from './settlement/economics/settle-due.ts'
import { recompareJob } from './settlement/reconciliation/recompare.ts'
import { reconciliations } from './settlement/reconciliation/routes.ts'
import { statements } from './settlement/statements/routes.ts'
import { statementsJob } from './settlement/statements/send.ts'
import { settlementStatement } from './settlement/statements/settlement-statement.ts'
import { costsJob } from './charging/costs/count.ts'
import { monthlyCharging } from './charging/costs/statement.ts'
import { openProviders } from './charging/payments/account.ts'
import { paymentsJob } from './charging/payments/follow.ts'
import { paymentKind } from './charging/payments/operations.ts'
import { servePayments } from './charging/payments/provider-webhook.ts'
import { charging } from './charging/routes.ts'
import { budgetsJob } from './charging/tags/spending.ts'
import { dataHub } from './meters/data-hub/routes.ts'
import { dataHubJobs } from './meters/data-hub/sync.ts'
import { scope2 } from './meters/scope-2/routes.ts'
import { loadShifting } from './planning/load-shifting/routes.ts'
import { savingsJob } from './planning/load-shifting/savings.ts'
import { systemJobs } from './operator/system/jobs.ts'
import { search } from './search/routes.ts'
import { serveDevMail } from './operator/system/pages.ts'
import { serveProbes } from './operator/system/probes.ts'
import { system } from './operator/system/routes.ts'
import type { FastifyInstance } from 'fastify'
import type { BoundRoute } from '#platform/http/route.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Kind } from '#platform/messaging/outbox.ts'
import type { App } from './context.ts'

const exported: BoundRoute[] = [
  ...auth,
  ...profiles,
  ...homeVisits,
  ...customers,
  ...licences,
  ...apiKeys,
  ...savedViews,
  ...pushDevices,
  ...webhooks,
  ...emailSubscriptions,
  ...audits,
  ...supportNotes,
  ...versions,
  ...frequency,
  ...capacity,
  ...energyNowRoutes,
  ...prices,
  ...carbon,
  ...revenueCalculators,
  ...equipment,
  ...alerts,
  ...annotations,
  ...events,
  ...edges,
  ...live,
  ...bidRequests,
  ...bidBases,
  ...bidExports,
  ...bidImports,
  ...bidResults,
  ...soldCapacities,
  soldRisks,
  ...economics,
  ...reconciliations,
  ...statements,
  ...charging,
  ...dataHub,
  ...scope2,
  ...loadShifting,
  search,
  ...system,
]

export const routes: BoundRoute[] = [...exported, ...reportRoutes(exported)]

export const jobs: Job<App>[] = [
  ...authJobs,
  ...marketDataJobs,
  placingJob,
  resultsJob,
  guardJob,
  costsJob,
  paymentsJob,
  budgetsJob,
  configJob,
  settlementsJob,
  recompareJob,
  reportsJob(exported),
  statementsJob([settlementStatement, monthlyCharging]),
  sealingJob([finalEvents, finalDays]),
  savingsJob,
  ...dataHubJobs,
  ...systemJobs,
]

/** Outbox items other than mails and webhooks. */
export const outboxKinds = (app: App): Record<string, Kind> => ({
  ...paymentKind(app, openProviders(app)),
  ...pushKind(app),
})

/** Pages outside of the API: one-click unsubscribe, the payment provider's webhook, the probes of a balancer, the mails of a demo. */
export const servePages = (http: FastifyInstance, app: App): void => {
  serveOneClick(http, app)
  servePayments(http, app)
  serveProbes(http, app)
  if (app.config.demo) serveDevMail(http, app)
}
