import { dayTwoOf } from '#kind';
import * as deployments from './actions/deployments.ts';
import { byApi } from './by-api.ts';
import * as deploymentLookups from './lookups/deployments.ts';

/** What is done once and what is only read, by area, in the order of the manual. */
export const dayTwo = dayTwoOf(
  { deployments: Object.values(deployments) },
  { deployments: Object.values(deploymentLookups) },
  byApi,
);
