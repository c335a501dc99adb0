import type { Check } from '#kind';
import { loops } from './loops.ts';
import { takeover } from './takeover.ts';

/** The checks of DNS records and of the domains of projects. */
export const dnsChecks: readonly Check[] = [loops, takeover];
