/** Formats a number of bytes in gigabytes, such as `1.25 GB`. */
export const formatGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`
