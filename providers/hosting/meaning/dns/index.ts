import type { Check } from '#kind';
import { dangling } from './dangling.ts';
import { loops } from './loops.ts';
import { projectHosts } from './project-hosts.ts';
import { spfChecks } from './spf-checks.ts';
import { takeover } from './takeover.ts';

/** The checks of DNS records and of the domains of projects. */
export const dnsChecks: readonly Check[] = [loops, dangling, takeover, spfChecks, projectHosts];
