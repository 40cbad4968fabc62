/** Formats a number of bytes in gigabytes, such as `1.25 GB`. */
export const formatGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`

/** Formats a number of bytes in megabytes, such as `12.5 MB`. */
export const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
