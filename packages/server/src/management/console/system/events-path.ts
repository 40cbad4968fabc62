/** Path of the page of events below the base path. */
export const eventsPath = '/console/events'
/** Path below which the operator's own webhooks have their pages. */
export const ownWebhooksPath = `${eventsPath}/webhooks`
