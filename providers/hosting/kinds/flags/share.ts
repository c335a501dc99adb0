import * as z from 'zod';

/** A share of all, in thousandths of a percent whatever the API calls it: so say the doc comments of the platform's SDK. */
export const share = () => z.number().min(0).max(100_000);
