import { expect, it } from 'vitest';
import { formatDifference } from '../../src/report/conversion-check-text.ts';
import { operation, planOf } from './builders.ts';

it('counts the requests of a plan, of which an operation may have several', () => {
  const request = { endpoint: 'PATCH /v9/projects/{idOrName}' } as const;
  const plan = planOf({ operations: [operation(['projects/web'], [request, request])] });
  expect(formatDifference(plan, false)).toContain('its plan would send 2 requests, and nothing is created');
});
