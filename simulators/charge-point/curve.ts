/** Power of a car in watts: on AC the car's own charger, on DC less as the battery fills. */

export type Car = { batteryWh: number; startSoc: number; acW: number; dcW: number }

const emptyBelow = 0.8

/** For a charger of `maxW`; falls from 80 % on and ends at 100 %. */
export const powerW = (car: Car, type: 'AC' | 'DC', maxW: number, soc: number): number => {
  if (soc >= 1) return 0
  const most = Math.min(maxW, type === 'DC' ? car.dcW : car.acW)
  return soc < emptyBelow ? most : Math.max(most * 0.1, (most * (1 - soc)) / (1 - emptyBelow))
}

/** The state of charge after some seconds, which must be few compared with an hour. */
export const charged = (car: Car, type: 'AC' | 'DC', maxW: number, soc: number, seconds: number) => {
  const watt = powerW(car, type, maxW, soc)
  const wh = Math.min((watt * seconds) / 3600, (1 - soc) * car.batteryWh)
  return { watt, wh, soc: Math.min(1, soc + wh / car.batteryWh) }
}

export const carOf = (number: number): Car => ({
  batteryWh: 42_000 + ((number * 7919) % 5) * 10_000,
  startSoc: 0.15 + ((number * 104_729) % 40) / 100,
  acW: number % 3 === 0 ? 7400 : 11_000,
  dcW: 80_000 + (number % 4) * 20_000,
})
