import type { WebhookData } from '@gridmast/contract/webhook-data.ts'

/** What a test sends as `data`: the fields of the specification's alert, activation event and bid request. */
export const examples = {
  alert: {
    _id: '01930000-0000-7000-8000-000000000001',
    name: 'Cold store above 400 kW',
    criteria: 'gt',
    type: 'power',
    value: 412.5,
    threshold: 400,
    unit: 'kW',
    groupName: 'Cold store 1',
    triggerTime: '2026-11-20T12:34:00.000Z',
  },
  activation: {
    _id: '01930000-0000-7000-8000-000000000002',
    instanceName: 'Cold store 1',
    market: 'FCR-D-INC',
    startTime: '2026-11-20T12:34:00.000Z',
    endTime: '2026-11-20T12:37:04.000Z',
    direction: 'increased',
    deltaLoad: 23.4,
    processedDeltaLoad: 22.8,
    maxFrequency: 49.81,
    maxSetPoint: null,
    consumption: 96.4,
    difference: 184,
    duration: 184,
    score: 97.2,
    verdict: 'delivered',
  },
  'bid-result': {
    groupId: '01930000-0000-7000-8000-000000000005',
    groupName: 'Cold store 1',
    biddingMarket: 'FCR-D-INC',
    auction: 'D-1 early',
    date: '2026-11-21',
    sent: 24,
    won: 17,
    wonMw: 3.4,
    bidRequests: ['01930000-0000-7000-8000-000000000003'],
  },
} satisfies WebhookData
