import { indexActionsAndLookups } from '#kind';
import * as connect from './actions/connect.ts';
import * as deployments from './actions/deployments.ts';
import * as domains from './actions/domains.ts';
import * as projects from './actions/projects.ts';
import * as sandboxes from './actions/sandboxes.ts';
import * as security from './actions/security.ts';
import * as team from './actions/team.ts';
import { byApi } from './by-api.ts';
import * as deploymentLookups from './lookups/deployments.ts';
import * as domainLookups from './lookups/domains.ts';
import * as projectLookups from './lookups/projects.ts';
import * as sandboxLookups from './lookups/sandboxes.ts';
import * as teamLookups from './lookups/team.ts';

/** The actions and lookups by area; the areas are in the order of the manual. */
export const actionsAndLookups = indexActionsAndLookups(
  {
    Deployments: Object.values(deployments),
    Projects: Object.values(projects),
    Domains: Object.values(domains),
    Firewall: Object.values(security),
    'Connectors and keys': Object.values(connect),
    Sandboxes: Object.values(sandboxes),
    Account: Object.values(team),
  },
  {
    Deployments: Object.values(deploymentLookups),
    Projects: Object.values(projectLookups),
    Domains: Object.values(domainLookups),
    Sandboxes: Object.values(sandboxLookups),
    Account: Object.values(teamLookups),
  },
  byApi,
);
