import type { Endpoint, Request } from '../model/plan.ts';
import type { Path, Result, Value } from '../model/value.ts';

/** A request as data; endpoint placeholders that `params` leaves open are filled by the planner. */
export const request = (endpoint: Endpoint, body?: unknown, params?: Record<string, Value>): Request => ({
  endpoint,
  ...(params ? { params } : {}),
  ...(body === undefined ? {} : { body }),
});

/** Part of the answer to request number `index` of the same operation. */
export const resultOf = (index: number, ...path: Path): Result => ({ $result: index, path });
