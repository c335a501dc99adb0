import { sweepFaults } from './fault-sweep.ts';

sweepFaults(1, 2);
