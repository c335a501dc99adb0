import { run } from './cli/program.ts';

await run(async () => (await import('../providers/hosting/index.ts')).hosting, process.argv);
