import { hosting } from '../providers/hosting/index.ts';
import { run } from './cli/program.ts';

await run(hosting, process.argv);
