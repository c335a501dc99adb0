import { creation, unchangedPlan } from './against-terraform.ts';
import { company } from './company.ts';
import type { Comparison } from './comparison.ts';
import { exports } from './exports.ts';
import { findings } from './findings.ts';
import { fleet } from './fleet.ts';
import { growth } from './growth.ts';
import { large } from './large.ts';
import { limits } from './limits.ts';
import { rehearsal } from './rehearsal.ts';
import { batches, requests } from './requests.ts';
import { singleVariable } from './single-variable.ts';
import { start } from './start.ts';
import { streams } from './streams.ts';
import { templates } from './templates.ts';

/** All comparisons, in the order in which they are made. */
export const comparisons: Comparison[] = [
  start,
  company,
  unchangedPlan(1000, 1 / 2),
  unchangedPlan(10_000, 0.18, 0.25),
  creation,
  requests,
  batches,
  exports,
  singleVariable,
  rehearsal,
  findings,
  templates,
  growth,
  large,
  streams,
  limits,
  fleet,
];
