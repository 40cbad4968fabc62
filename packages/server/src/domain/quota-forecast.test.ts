import { expect, test } from 'vitest'
import { forecastQuota } from './quota-forecast.ts'

test('a steady growth reaches the quota on the day that the line says', () => {
  const days = Array.from({ length: 28 }, (_, day) => 100 + 10 * day)
  expect(forecastQuota(days, 470)).toEqual({ average: 340, peak: 370, daysLeft: 10 })
})

test.each([
  ['flat use', Array.from({ length: 28 }, () => 50), 50],
  ['falling use', Array.from({ length: 28 }, (_, day) => 100 - day), 76],
  ['few days of use', [...Array.from({ length: 20 }, () => 0), 1, 2, 3, 4, 5, 6, 7, 8], 5],
  ['no use', Array.from({ length: 28 }, () => 0), 0],
  ['no days', [], 0],
])('%s has no end', (_, days, average) => {
  const forecast = forecastQuota(days, 1000)
  expect(forecast).not.toHaveProperty('daysLeft')
  expect(forecast.average).toBeCloseTo(average)
})

test('a trend beyond half a year is not shown', () => {
  expect(
    forecastQuota(
      Array.from({ length: 28 }, (_, day) => 100 + day),
      1_000_000,
    ),
  ).not.toHaveProperty('daysLeft')
})
