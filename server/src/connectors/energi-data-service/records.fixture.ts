import type { DatasetName } from './datasets.ts'

/**
 * Records for tests: prices from live answers of 2026-09-15 and 2025-09-27; CO2, the extra mFRR auction and the second tariff have the
 * published columns with invented values.
 */
export const exampleRecords: Record<DatasetName, readonly string[]> = {
  DayAheadPrices: [
    '{"TimeUTC":"2025-09-27T20:00:00","TimeDK":"2025-09-27T22:00:00","PriceArea":"DK1","DayAheadPriceEUR":104.44,"DayAheadPriceDKK":779.54}',
  ],
  Elspotprices: [
    '{"HourUTC":"2025-09-15T05:00:00","HourDK":"2025-09-15T07:00:00","PriceArea":"DK1","SpotPriceDKK":779.54,"SpotPriceEUR":104.44}',
  ],
  FcrDK1: [
    '{"HourUTC":"2026-09-15T05:00:00","HourDK":"2026-09-15T07:00:00","FCRdomestic_MW":5.0,"FCRabroad_MW":24.0,"FCRcross_EUR":13.0,"FCRcross_DKK":97.18,"FCRdk_EUR":11.62,"FCRdk_DKK":86.88}',
  ],
  FcrNdDK2: [
    '{"HourUTC":"2026-09-15T10:00:00","HourDK":"2026-09-15T12:00:00","PriceArea":"DK2","ProductName":"FCR-D ned","AuctionType":"D-1 early","PurchasedVolumeLocal":63.8,"PurchasedVolumeTotal":430.0,"PriceTotalEUR":3.5}',
    '{"HourUTC":"2026-09-15T10:00:00","HourDK":"2026-09-15T12:00:00","PriceArea":"DK2","ProductName":"FCR-D ned","AuctionType":"D-1 late","PurchasedVolumeLocal":9.9,"PurchasedVolumeTotal":144.0,"PriceTotalEUR":1.0}',
    '{"HourUTC":"2026-09-15T10:00:00","HourDK":"2026-09-15T12:00:00","PriceArea":"DK2","ProductName":"FCR-D ned","AuctionType":"Total","PurchasedVolumeLocal":73.7,"PurchasedVolumeTotal":574.0,"PriceTotalEUR":2.872822}',
  ],
  AfrrReservesNordic: [
    '{"TimeUTC":"2026-09-15T21:00:00","TimeDK":"2026-09-15T23:00:00","PriceArea":"DK2","UpDemandMW":22.0,"UpProcuredMW":52.0,"UpPriceEUR":13.0,"UpPriceDKK":97.1776,"DownDemandMW":33.0,"DownProcuredMW":70.0,"DownPriceEUR":1.14,"DownPriceDKK":8.521728}',
  ],
  MfrrCapacityMarket: [
    '{"TimeUTC":"2026-09-15T21:00:00","TimeDK":"2026-09-15T23:00:00","PriceArea":"DK1","UpDemandMW":319.0,"UpProcuredMW":390.0,"UpPriceEUR":2.01,"UpPriceDKK":15.025152,"DownDemandMW":0.0,"DownProcuredMW":3.0,"DownPriceEUR":0.11,"DownPriceDKK":0.822272}',
  ],
  MfrrCapacityMarketExtra: [
    '{"TimeUTC":"2026-09-15T21:00:00","TimeDK":"2026-09-15T23:00:00","PriceArea":"DK1","UpDemandMW":20.0,"UpProcuredMW":20.0,"UpPriceEUR":4.5,"UpPriceDKK":33.6384,"DownDemandMW":null,"DownProcuredMW":null,"DownPriceEUR":null,"DownPriceDKK":null}',
  ],
  FfrDK2: [
    '{"HourUTC":"2026-09-15T21:00:00","HourDK":"2026-09-15T23:00:00","FFR_DemandMW":5.485,"FFR_PurchasedMW":6.2,"FFR_PriceEUR":23.0,"FFR_PriceDKK":171.9296}',
  ],
  ImbalancePrice: [
    '{"TimeUTC":"2026-09-15T21:15:00","TimeDK":"2026-09-15T23:15:00","PriceArea":"DK1","SatisfiedDemand":-165.0,"ImbalancePriceEUR":66.46,"ImbalancePriceDKK":496.8,"SpotPriceEUR":186.37,"DominatingDirection":-1,"aFRRUpMW":0.0,"aFRRVWAUpEUR":0.0,"aFRRVWAUpDKK":0.0,"aFRRDownMW":-6.2,"aFRRVWADownEUR":66.46,"aFRRVWADownDKK":496.8,"mFRRMarginalPriceUpEUR":186.37,"mFRRMarginalPriceUpDKK":1393.15,"mFRRMarginalPriceDownEUR":156.34,"mFRRMarginalPriceDownDKK":1168.67}',
  ],
  MfrrEnergyActivationMarket: [
    '{"TimeUTC":"2026-09-15T21:45:00","TimeDK":"2026-09-15T23:45:00","PriceArea":"DK2","mFRRSAUpReqMW":76,"mFRRSAUpEUR":254.17,"mFRRSADownReqMW":null,"mFRRSADownEUR":171.0,"mFRRDAUpMW":null,"mFRRDAUpEUR":null,"mFRRDADownMW":null,"mFRRDADownEUR":null,"TotalmFRRUpMW":76,"TotalmFRRDownMW":0,"mFRROfferedUpMW":381,"mFRROfferedDownMW":501,"mFRRLocalUpMW":26,"mFRRLocalDownMW":null,"mFRRSpecialUpMW":null,"mFRRSpecialDownMW":null}',
  ],
  CO2Emis: [
    '{"Minutes5UTC":"2026-09-15T21:55:00","Minutes5DK":"2026-09-15T23:55:00","PriceArea":"DK1","CO2Emission":88.0}',
  ],
  CO2EmisProg: [
    '{"Minutes5UTC":"2026-09-15T21:55:00","Minutes5DK":"2026-09-15T23:55:00","PriceArea":"DK1","CO2Emission":88.0}',
  ],
  DatahubPricelist: [
    `{"ChargeOwner":"Energinet Systemansvar A/S (SYO)","GLN_Number":"5790000432752","ChargeType":"D03","ChargeTypeCode":"EA-001","Note":"Elafgift","Description":"Elafgiften","ValidFrom":"2026-01-01T00:00:00","ValidTo":"2028-01-01T00:00:00","VATClass":"D02","Price1":0.008,${Array.from({ length: 23 }, (_, i) => `"Price${i + 2}":null`).join(',')},"TransparentInvoicing":0,"TaxIndicator":1,"ResolutionDuration":"P1D"}`,
    `{"ChargeOwner":"Radius Elnet A/S","GLN_Number":"5790000705689","ChargeType":"D03","ChargeTypeCode":"DT_C_01","Note":"Nettarif C","Description":"Nettarif C time","ValidFrom":"2026-10-01T00:00:00","ValidTo":null,"VATClass":"D02",${Array.from({ length: 24 }, (_, i) => `"Price${i + 1}":${i < 6 ? 0.1012 : i >= 17 && i < 21 ? 0.3036 : 0.1518}`).join(',')},"TransparentInvoicing":0,"TaxIndicator":0,"ResolutionDuration":"PT1H"}`,
  ],
}
