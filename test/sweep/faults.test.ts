import { sweepFaults } from './fault-sweep.ts';

// Two files, since files run at once; the other one is faults-of-the-rest.test.ts.
sweepFaults(0, 2);
