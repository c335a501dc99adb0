import type { Pace } from '../model/pace.ts';
import type { Plan } from '../model/plan.ts';
import { count } from './count.ts';
import { wrap } from './cut.ts';
import { durationText } from './duration-text.ts';
import { forecast, waitOf } from './forecast.ts';

/** Shorter ones do not matter to anybody. */
const least = 10;

/** `, about 43 min`; nothing where it is a matter of seconds, or where the platform's pace is not known. */
export function durationOf(plan: Plan, pace: Pace | undefined): string {
  const { seconds } = forecast(plan, pace);
  return seconds < least ? '' : `, about ${roughly(seconds)}`;
}

/** What it took to make the plan, as a sentence; nothing where that is not known. */
export const readsText = ({ reads }: Plan): string[] =>
  reads === undefined ? [] : [`Read with ${count(reads, 'request')}.`];

/** Which published limits hold the plan up. */
export function waitLines(plan: Plan, pace: Pace | undefined, width: number): string[] {
  const holding = forecast(plan, pace).limits.filter((limit) => waitOf(limit) > 0);
  const texts = holding.map(
    ({ what, requests, allowed, window }) => `${requests} ${what}: limited to ${allowed} ${each(window)}.`,
  );
  return texts.flatMap((text) => wrap(text, width));
}

const roughly = (seconds: number): string =>
  seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Number((seconds / 3600).toFixed(1))} h`;

const each = (window: number): string =>
  window === 3600 ? 'an hour' : window === 60 ? 'a minute' : `in ${durationText(window * 1000)}`;
