import { defineConfig } from 'vitest/config';
import { CostReporter } from './test/support/cost-reporter.ts';

// For what hangs: nothing fails because the machine is slow, or because a sweep is long.
const hang = process.env.TRUEUP_SWEEP === 'all' ? 36_000_000 : 900_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/setup.ts'],
    // One worker for each thread: each loads everything once, and more of them cost a fifth more and save no time.
    maxWorkers: '100%',
    // V8 of Node 20 optimizes functions early; most of a test's are called too seldom for that to pay: a fifth less in all.
    execArgv: process.versions.v8.startsWith('11.') ? ['--interrupt-budget=1000000'] : [],
    // Nothing here keeps state between files, and loading the same modules for each of them takes longer than most tests.
    isolate: false,
    // The style of the page, which is imported as text.
    css: true,
    reporters: ['default', new CostReporter()],
    testTimeout: hang,
    hookTimeout: hang,
  },
});
