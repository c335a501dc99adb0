import type { FactCase } from './fact-case.ts';

/** Facts about domains. */
export const domainCases: FactCase[] = [];
