import type { Handlers } from './call.ts';
import { customEnvironmentHandlers } from './custom-environments.ts';
import { dnsHandlers } from './dns-records.ts';
import { domainHandlers } from './domains.ts';
import { envHandlers } from './env.ts';
import { firewallHandlers } from './firewall.ts';
import { projectDomainHandlers } from './project-domains.ts';
import { projectHandlers } from './projects.ts';
import { userAndTeamHandlers } from './user-and-team.ts';

/** All handlers, by the catalog's operationId. */
export const handlers: Handlers = {
  ...userAndTeamHandlers,
  ...projectHandlers,
  ...envHandlers,
  ...projectDomainHandlers,
  ...customEnvironmentHandlers,
  ...domainHandlers,
  ...dnsHandlers,
  ...firewallHandlers,
};

/** The operations that the twin serves, by the catalog's operationId. */
export const servedOperations: readonly string[] = Object.keys(handlers);
