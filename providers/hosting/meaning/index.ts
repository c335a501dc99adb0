import type { Meaning } from '#kind';
import { deploymentNeeded, findNeededDeployments } from './deployments/deployment-needed.ts';
import { dnsChecks } from './dns/index.ts';
import { readHosts } from './dns/read-hosts.ts';
import { environmentChecks } from './environment/index.ts';
import { firewallChecks } from './firewall/index.ts';
import { posture } from './posture/posture.ts';
import { redirectChecks } from './redirects/index.ts';
import { traceRequest } from './trace/trace-request.ts';

/** What configurations of the platform mean: the checks for those that are valid and harmful. */
export const meaning: Meaning = {
  checks: [...dnsChecks, ...environmentChecks, ...firewallChecks, posture, ...redirectChecks],
  changeCodes: [deploymentNeeded],
  checkChanges: findNeededDeployments,
  readMore: readHosts,
  trace: traceRequest,
};
