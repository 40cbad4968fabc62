/* global SwaggerUIBundle, SwaggerUIStandalonePreset */
const { documents, publicUrl, root } = JSON.parse(document.getElementById('settings').textContent)
const here = new URL(root, window.location.href).href.replace(/\/$/, '')

SwaggerUIBundle({
  dom_id: '#reference',
  urls: documents,
  'urls.primaryName': new URLSearchParams(window.location.search).get('urls.primaryName') ?? documents[0].name,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // Disable the validator badge, which is loaded from another host.
  validatorUrl: null,
  // Send requests to the origin of this page; the public URL of the service may differ.
  requestInterceptor: request => {
    if (request.url.startsWith(publicUrl)) request.url = here + request.url.slice(publicUrl.length)
    return request
  },
})
