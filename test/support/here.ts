import { processHost } from '../../src/process-host.ts';

/** This process and its machine, as far as ledgers, leases and files are concerned. */
export const here = { ...processHost(), cwd: '/', env: {} };
