import type { Phrases } from '../phrases.ts'

export const es: Phrases = {
  titles: {
    good: [
      '{place}: imprescindible',
      'Lo mejor del viaje',
      'Hay que ir con tiempo',
      'Volveremos seguro',
      'Superó nuestras expectativas',
      'Una tarde redonda',
    ],
    mixed: ['Bien, pero con matices', '{place}: bonito, aunque masificado', 'Correcto sin más', 'Ni fu ni fa'],
    bad: ['Una decepción', '{place}: no lo recomiendo', 'Demasiada gente y poca organización', 'Esperaba mucho más'],
  },
  openers: {
    good: [
      'Pasamos {hours} horas aquí y se nos hicieron cortas.',
      'Llevaba años queriendo conocerlo y no me ha defraudado.',
      'De lo mejor que hemos visto en todo el viaje.',
      'Era mi segunda visita y me gustó todavía más que la primera.',
      'Un lugar maravilloso.',
    ],
    mixed: [
      'Tiene muchas cosas buenas y algunas que mejorar.',
      'Iba con mucha ilusión y salí con sensaciones encontradas.',
      'La visita estuvo bien, aunque no todo salió como esperábamos.',
    ],
    bad: [
      'Por desgracia, la visita no salió bien.',
      'Con lo que habíamos leído, nos llevamos un chasco.',
      'Nos fuimos antes de una hora.',
    ],
  },
  closers: {
    good: [
      'Muy recomendable.',
      'Repetiremos en el próximo viaje.',
      'Reservad al menos {hours} horas.',
      'Si solo podéis ver una cosa, que sea esta.',
    ],
    mixed: [
      'Hay que verlo una vez, pero sin grandes expectativas.',
      'Quizá en temporada baja gane mucho.',
      'Mejor ir entre semana.',
    ],
    bad: ['No volvería.', 'Hay mejores maneras de pasar la tarde.', 'Ojalá lo mejoren.'],
  },
  trips: {
    FAMILY: [
      'Fuimos con los niños, la pequeña de {age} años.',
      'Vinimos toda la familia, abuelos incluidos.',
      'Nuestro hijo de {age} años no paró de hacer preguntas.',
    ],
    COUPLES: ['Fui con mi pareja en una escapada de aniversario.', 'Íbamos los dos solos, sin prisa.'],
    FRIENDS: ['Éramos un grupo de amigos con gustos muy distintos.', 'Fuimos cuatro amigos un fin de semana largo.'],
    SOLO: ['Viajaba solo y pude ir a mi ritmo.', 'Fui por mi cuenta, con un cuaderno en la mano.'],
    BUSINESS: ['Tenía una tarde libre entre dos reuniones.', 'Aproveché un hueco después de un congreso.'],
  },
  aspects: {
    collection: {
      good: [
        'La colección es extraordinaria y está muy bien ordenada.',
        'Solo por la exposición temporal ya merece la pena.',
        'En cada sala hay algo que te obliga a detenerte.',
        'Ver las obras en persona emociona.',
      ],
      bad: [
        'Había varias salas cerradas y las mejores piezas estaban prestadas.',
        'Las cartelas son diminutas y apenas explican nada.',
      ],
    },
    building: {
      good: [
        'La arquitectura es impresionante, por dentro y por fuera.',
        'No olvidéis mirar los techos, los detalles son una maravilla.',
        'La restauración está hecha con mucho cuidado.',
      ],
      bad: ['Media fachada estaba cubierta de andamios.', 'El edificio necesita un arreglo y se nota.'],
    },
    nature: {
      good: [
        'Los árboles y las flores estaban en su mejor momento.',
        'Mucha sombra, bancos y senderos tranquilos.',
        'Un rincón verde para descansar y leer un rato.',
      ],
      bad: ['El césped estaba seco y muchos caminos cerrados.', 'Apenas había sombra con el calor que hacía.'],
    },
    animals: {
      good: [
        'Los animales se ven cuidados y con espacio.',
        'La hora de la comida fue lo mejor.',
        'Nos quedamos un buen rato en el túnel del acuario.',
      ],
      bad: ['Algunos recintos se ven pequeños y vacíos.', 'Casi todos los animales dormían o no se dejaban ver.'],
    },
    view: {
      good: [
        'Las vistas de la ciudad al atardecer son inolvidables.',
        'Desde arriba se ve todo a la redonda.',
        'Llevad la cámara, hay vistas preciosas en todas direcciones.',
      ],
      bad: ['Las vistas estaban tapadas por redes y vallas de obra.', 'Con la calima no se veía casi nada.'],
    },
    queue: {
      good: [
        'Entramos en {few} minutos.',
        'Con la entrada comprada por internet no hicimos cola.',
        'A primera hora estaba casi vacío.',
      ],
      bad: [
        'Hicimos {many} minutos de cola aunque teníamos hora reservada.',
        'La cola de la entrada era larga y un caos.',
      ],
    },
    guide: {
      good: [
        'La guía fue amena, paciente y se sabía todas las historias.',
        'La audioguía es excelente y está en muchos idiomas.',
        'La visita guiada gratuita nos ayudó a entenderlo todo mejor.',
      ],
      bad: ['El guía iba con prisas y apenas se le oía.', 'La audioguía se perdía todo el tiempo.'],
    },
    family: {
      good: [
        'El juego de pistas tuvo entretenidos a los niños toda la visita.',
        'Ideal para ir con niños, hay mucho que tocar y probar.',
        'Se puede ir con carrito y hay un buen sitio para merendar.',
      ],
      bad: ['Hay poco para niños pequeños, los nuestros se aburrieron.', 'Con carrito es complicado.'],
    },
    romantic: {
      good: [
        'Con la luz del atardecer es un sitio muy romántico.',
        'Perfecto para pasear de la mano sin prisa.',
        'Nos quedamos hasta que encendieron las farolas, fue mágico.',
      ],
      bad: [
        'Esperábamos una velada romántica y había altavoces a todo volumen.',
        'No hay un rincón tranquilo para dos.',
      ],
    },
    rain: {
      good: [
        'Un plan ideal para un día de lluvia.',
        'Fuera diluviaba y ni nos enteramos.',
        'Buen refugio cuando hace mal tiempo, con una cafetería acogedora.',
      ],
      bad: [
        'Cuando llueve todo el mundo tiene la misma idea y se pone imposible.',
        'El guardarropa estaba a rebosar de paraguas.',
      ],
    },
    price: {
      good: [
        'Muy buena relación calidad-precio.',
        'La entrada combinada sale muy a cuenta.',
        'Algunas tardes es gratis, conviene mirarlo antes.',
      ],
      bad: ['La entrada es cara para lo que ofrece.', 'Todo se paga aparte, hasta el plano.'],
    },
    access: {
      good: [
        'Hay ascensores y rampas por todas partes, fácil con silla de ruedas.',
        'Sin escalones desde la entrada hasta la última sala.',
        'Ayudaron a mi madre, que camina con dificultad, sin que lo pidiéramos.',
      ],
      bad: [
        'El ascensor no funcionaba y hay muchas escaleras.',
        'Difícil con silla de ruedas, todo son adoquines y escalones.',
      ],
    },
    clean: {
      good: ['Limpísimo, también los baños.', 'Todo estaba ordenado y bien cuidado.', 'Se nota que lo cuidan.'],
      bad: ['Los baños estaban sucios.', 'A mediodía las papeleras rebosaban.'],
    },
    staff: {
      good: [
        'El personal, muy amable y dispuesto a resolver dudas.',
        'Una vigilante nos señaló detalles que se nos habrían escapado.',
        'Nos recibieron con una sonrisa en la taquilla.',
      ],
      bad: ['El personal de la puerta fue desagradable.', 'Nadie sabía decirnos qué entrada necesitábamos.'],
    },
    atmosphere: {
      good: ['Un ambiente tranquilo y con encanto.', 'Se respira un silencio especial.', 'Animado, pero sin agobios.'],
      bad: ['Tanta gente que no se disfruta nada.', 'Ruido constante de grupos grandes.'],
    },
    location: {
      good: [
        'Se llega fácil en metro y está cerca de otros monumentos.',
        'El barrio de alrededor también merece un paseo.',
        'A pocos minutos a pie del centro.',
      ],
      bad: [
        'Cuesta encontrarlo y queda lejos del transporte público.',
        'El camino desde la estación va junto a una carretera.',
      ],
    },
  },
  replies: {
    good: [
      'Muchas gracias por sus palabras, esperamos verle de nuevo.',
      'Nos alegra que disfrutara de la visita. ¡Hasta la próxima!',
    ],
    bad: [
      'Gracias por su sinceridad. Lo sentimos y lo hemos trasladado al equipo.',
      'Lamentamos que la visita no fuera como debía; estamos trabajando en los tiempos de espera.',
    ],
  },
  note: '(reseña de muestra generada)',
  replyNote: '(respuesta de muestra generada)',
  gap: ' ',
}
