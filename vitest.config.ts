import { defineConfig } from 'vitest/config';
import { CostReporter } from './test/support/cost-reporter.ts';

// For what hangs: nothing fails because the machine is slow, or because a sweep is long.
const hang = process.env.TRUEUP_SWEEP === 'all' ? 36_000_000 : 900_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Most of the time goes into processes and servers on this machine: two workers for each core keep it busy.
    maxWorkers: '200%',
    // Nothing here keeps state between files, and loading the same modules for each of them takes longer than most tests.
    isolate: false,
    // The style of the page, which is imported as text.
    css: true,
    reporters: ['default', new CostReporter()],
    testTimeout: hang,
    hookTimeout: hang,
  },
});
